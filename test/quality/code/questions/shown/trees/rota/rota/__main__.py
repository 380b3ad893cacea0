from rota.cli import main

raise SystemExit(main())
