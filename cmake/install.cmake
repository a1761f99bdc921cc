# filled in with the exports
