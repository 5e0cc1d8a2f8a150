"""The exit codes of the contract."""

DONE = 0
FAILED = 1
WRONG_USAGE = 2
NEEDS_INPUT = 3
CANNOT_ANSWER = 4
INTERRUPTED = 130

OF_STATUS = {
    "succeeded": DONE,
    "needs_input": NEEDS_INPUT,
    "cannot_answer": CANNOT_ANSWER,
    "cancelled": INTERRUPTED,
    "failed": FAILED,
}
