"""Stop the clock of every Python program that is started with this folder in PYTHONPATH and a time in STOPPED_AT.

Thus, the documentation can show whole responses, including dates.
"""

import os
from datetime import datetime

import time_machine

time_machine.travel(datetime.fromisoformat(os.environ["STOPPED_AT"]), tick=False).start()
