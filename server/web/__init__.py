"""What all pages and interfaces share: services, requests, errors, headers, languages, links."""
