"""`ostraka up`: the whole service on this machine, each part a supervised process."""
