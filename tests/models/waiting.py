"""A process that asks a question, is asked back, says so, and waits until it is killed.

Arguments: the data root, the model server's address, the question, the conversation.
"""

import sys
import time
from pathlib import Path

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

if __name__ == "__main__":
    root, url, question, conversation = sys.argv[1:]
    providers = {"openai": {"base_url": url, "model": "fake"}}
    settings = load_settings(Path(root), agent={"provider": "openai", "words": "plain"}, providers=providers)
    workspace = Workspace.open(settings, wait_s=0)
    handle = workspace.runs.start(question, conversation_id=conversation)
    ended = list(workspace.runs.log(handle.run_id).follow())[-1]
    print(ended["content"]["status"], flush=True)
    time.sleep(600)
