"""Why a question has no answer here: what it asks for is not kept, is no amount, is nobody's, names nothing."""
