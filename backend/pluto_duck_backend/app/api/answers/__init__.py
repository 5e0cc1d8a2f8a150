"""What answers hold: the OpenAPI document's own words for the JSON that services hand out.

Routes name these in `responses`; nothing is converted through them, since results are plain lists already. The tests
compare every answer with them.
"""
