const BENCHES: Record<string, { about: string; load: () => Promise<{ run(args: string[]): Promise<void> }> }> = {
  api: {
    about: 'signed-in read against a bare Fastify route with the same query; 300 requests/s held',
    load: () => import('./api.ts'),
  },
  assistant: {
    about:
      'questions in plain words over many schemas, scored by rows: right, asked back, wrong; also of a model when TRELLIS_AI_MODEL is set; how soon a cancel ends model call and query; time to the first part of an answer, also in Chromium (--only shop, --all)',
    load: () => import('./assistant/run.ts'),
  },
  canvas: {
    about: 'panning and dragging on canvases of 600 and 1,000 blocks in Chromium, against their budgets (--blocks 600)',
    load: () => import('./canvas.ts'),
  },
  cdc: {
    about:
      'changes of a PostgreSQL table from its log: a run against pgoutput, COPY and MERGE by hand; from the commit at the source to the table here at 1,000 changes/s (--rows 200000, --changes 200000, --rounds 3, --seconds 20)',
    load: () => import('./cdc/run.ts'),
  },
  completion: {
    about:
      'suggestions of the SQL editor for 20,000 tables and typing in 2,000 lines, in Chromium, against the same editor alone on a page',
    load: () => import('./completion/run.ts'),
  },
  charts: {
    about: 'rows of a result to a chart in Chromium, against the same points on a bare canvas (--points 100000)',
    load: () => import('./charts/run.ts'),
  },
  connectors: {
    about:
      'a large table of PostgreSQL and of MariaDB read into nothing against the bare drivers; memory (--rows 1000000)',
    load: () => import('./connectors.ts'),
  },
  explorer: {
    about: 'pages of a large table, a database of 20,000 tables, exports against COPY (--rows, --tables)',
    load: () => import('./explorer.ts'),
  },
  neighbours: {
    about:
      "a neighbour's p99 with and without attacks of one workspace on disk, memory, connections, processor and locks; root mounts a small disk for it (--rounds 3, --seconds 6, --only disk,memory)",
    load: () => import('./neighbours/run.ts'),
  },
  sandbox: {
    about: 'a function over columns in the sandbox against the same function outside it (--rows 1000000)',
    load: () => import('./sandbox.ts'),
  },
  scheduling: {
    about:
      '1,000 dataflows due at once, 300 a minute, and chains, by two workers: how long until they start (--at-once, --per-minute)',
    load: () => import('./scheduling.ts'),
  },
  loads: {
    about:
      'runs of source blocks against COPY and MERGE by hand; cost of a row from 100k to 10M; memory (--rows 1000000, --upsert, --into, --most, --rounds, --only postgres,csv,upsert,growth)',
    load: () => import('./loads.ts'),
  },
  sql: {
    about:
      'queries of worksheets against a bare driver, COPY and each other: overhead, streaming, export, 200 people at once, SQL bombs (--only overhead,stream,export,people,bombs, --rows 1000000, --workspaces 20, --people 10)',
    load: () => import('./sql/run.ts'),
  },
  tools: {
    about:
      'psql, pg_dump, pg_restore, SQLAlchemy and JDBC with a login made over the API (--only psql,pg_dump, --pg_dump path, --jdbc jar, --command "…")',
    load: () => import('./outside-tools/run.ts'),
  },
  uploads: {
    about: 'a CSV file into a table against a bare COPY and psql of the same file; memory of the worker (--mb 1000)',
    load: () => import('./uploads.ts'),
  },
  web: {
    about:
      'sizes, loading and input delay of the pages in Chromium, and the dashboard of a large workspace, against their budgets (--only dashboard)',
    load: () => import('./web.ts'),
  },
  workers: {
    about: 'runs of one workspace by one, two and three workers, as ratios to one',
    load: () => import('./workers.ts'),
  },
}

const [name = '', ...args] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench) {
  await (await bench.load()).run(args)
} else if (name === '' || name.startsWith('--')) {
  const { run } = await import('./all/run.ts')
  await run(name === '' ? [] : [name, ...args])
} else {
  console.log('All of them and one page (--quick, --only loads,workers):\n\n  npm run bench\n\nOr one:\n')
  for (const [known, { about }] of Object.entries(BENCHES))
    console.log(`  npm run bench -- ${known.padEnd(10)} ${about}`)
  process.exitCode = 1
}
