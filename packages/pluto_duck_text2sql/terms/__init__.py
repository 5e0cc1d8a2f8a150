"""What words mean by a definition: a glossary's, a metric's, the question's own; what is late, open or in store."""
