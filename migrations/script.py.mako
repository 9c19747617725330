"""${message}

Compatible with: say here which releases run on this schema. Expand first, contract a release later.
"""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """${upgrades if upgrades else "Expand."}"""


def downgrade() -> None:
    """${downgrades if downgrades else "Contract."}"""
