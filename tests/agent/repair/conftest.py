from tests.agent.shop import data

__all__ = ["data"]
