"""Questions that one query does not answer: named parts, each a query over the tables and the parts before it."""
