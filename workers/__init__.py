"""What happens without a player: bot turns, upkeep, clocks and notices, as Celery tasks."""
