"""The contract: the OpenAPI document and what is made from it."""
