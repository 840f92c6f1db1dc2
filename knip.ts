import type { KnipConfig } from 'knip'

/** Programs that are started by their path, which no import tells. */
const STARTED = {
  server: [
    'src/main.ts!',
    'src/admin/main.ts!',
    'src/http/print-openapi.ts!',
    'src/modules/dataflows/yaml/print-flow-schema.ts!',
    'src/**/testing/*-worker.ts',
  ],
  web: [
    'src/app/main.tsx!',
    'src/auth/auth-entry.tsx!',
    'src/auth/auth-server.tsx!',
    'src/spark-frame/frame-entry.tsx!',
    'scripts/build.ts!',
  ],
}
const TESTS = [
  'src/**/*.test.{ts,tsx}',
  'src/**/testing/**',
  'src/**/testing.ts',
  'src/probes/**',
  'src/awkward/**',
  'src/modules/sql/{bombs,escapes}/**',
  'src/**/{*-samples,local-server}.ts',
]

/** Exports of what ships that only tests use so far. The list is to shrink: wire them in or delete them. */
const ONLY_TESTED: Record<string, ['exports']> = {
  // For prompts, which no screen sends yet.
  'apps/server/src/modules/billing/credits.service.ts': ['exports'],
  // Rules that the server carries out in SQL, so it does not call them.
  'packages/dataflow-engine/src/runs/{deadlines,lease,run-states,task-status}.ts': ['exports'],
  'packages/dataflow-engine/src/triggers/{deliver,events}.ts': ['exports'],
}

/**
 * A package exports every file of `src`, so each is an entry and its exports count only with `includeEntryExports`.
 * `--production` looks at what ships: an export that only tests use is dead there.
 */
export default ({ production = false }: { production?: boolean }): KnipConfig => ({
  includeEntryExports: true,
  ignoreExportsUsedInFile: production,
  // What is imported without being declared is told by the boundaries.
  exclude: ['unlisted', 'binaries', 'unresolved'],
  ignoreIssues: {
    ...(production && ONLY_TESTED),
    // Loaded by the build of the web, which takes these two by name.
    'apps/web/src/auth/{auth-server.tsx,auth-location.ts}': ['exports'],
  },
  workspaces: {
    '.': {
      entry: [
        'tools/{bootstrap/bootstrap.mjs,check/check.ts,dev/dev.ts,scaffold/new-*.ts,test/run.ts}',
        '{bench,chaos}/{main,run,*worker,*-server,*-reader}.ts',
        // Called by Patroni.
        'chaos/cluster/programs/*.ts',
        'chaos/upgrade/prepare-previous.ts',
        'tools/release/sign.ts',
        'bench/neighbours/attacker.ts',
        'bench/neighbours/watcher.ts',
        'e2e/harness/platforms/use-local-platforms.ts',
        'e2e/pictures/take-pictures.ts',
        'bench/charts/page.ts',
        'bench/completion/bare-page.ts',
        'bench/sql/{crowd,server}.ts',
      ],
      project: ['*.ts', '{tools,bench,chaos,e2e}/**/*.{ts,mjs}', '!tools/scaffold/templates/**'],
      // Started by path from tools/check.
      ignoreDependencies: ['oxfmt', 'oxlint', 'oxlint-tsgolint'],
    },
    // Started by path from the test.
    'tools/api-clients': {
      entry: ['*.test.ts'],
      ignoreDependencies: ['@hey-api/openapi-ts', 'openapi-typescript'],
    },
    'packages/*': { project: ['src/**/*.ts!'], ...(production && { vitest: { entry: TESTS } }) },
    'apps/server': {
      entry: [...STARTED.server, 'src/**/*.test.ts'],
      project: ['src/**/*.ts!'],
      ...(production && { vitest: { entry: TESTS } }),
    },
    'apps/cli': {
      entry: ['src/main.ts!', 'scripts/build.ts'],
      project: ['src/**/*.ts!', 'scripts/*.ts'],
      ...(production && { vitest: { entry: TESTS } }),
    },
    'apps/web': {
      entry: [...STARTED.web, '{src,scripts}/**/*.test.{ts,tsx}', 'src/testing/serve-fake.ts'],
      project: ['src/**/*.{ts,tsx}!', 'scripts/*.ts'],
      // The font is imported by style sheets; the tests' browser is named in vitest.config.ts.
      ignoreDependencies: ['@fontsource-variable/geist', 'happy-dom'],
      ...(production && { vitest: { entry: TESTS } }),
    },
  },
})
