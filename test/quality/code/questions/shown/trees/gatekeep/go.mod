module example.org/gatekeep

go 1.22
