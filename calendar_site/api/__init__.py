"""The wire contract: routes, arguments, errors, lists and answers. No models; knows no app."""
