module example.org/last-night

go 1.21
