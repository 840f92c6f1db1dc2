import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './tools/test/slow-first.ts'

/** A limit for what hangs: on a busy machine the usual second is over before a process has begun. */
const PATIENT = { poll: { timeout: 30_000 } }

/** They measure the process they run in. */
const APART = ['packages/workspace-db/src/session.test.ts']

const onServer = {
  environment: 'node',
  globalSetup: ['tools/test/cluster.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: PATIENT,
}

export default defineConfig({
  test: {
    // One more than there are cores: while a file waits for Postgres or a process it started, the others go on.
    maxWorkers: availableParallelism() + 1,
    // For what hangs: a process that ran many files keeps what it compiled, which takes a busy machine a while.
    teardownTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    // What the identity provider of the tests advises those who run one in earnest.
    onConsoleLog: (log) => !log.includes('oidc-provider '),
    projects: [
      {
        test: {
          ...onServer,
          name: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'apps/cli/src/**/*.test.ts',
            'tools/**/*.test.{ts,mjs}',
            'bench/**/*.test.ts',
            'connectors/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'tools/scaffold/templates/**', ...APART],
          // A process of its own for every file would spend a fifth of the time on loading the same libraries.
          isolate: false,
          setupFiles: ['tools/test/own-modules.ts'],
        },
      },
      { test: { ...onServer, name: 'apart', include: APART } },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          // Loading the screens anew for every file takes longer than testing them; `clean-up.ts` keeps the files apart.
          isolate: false,
          include: ['apps/web/src/**/*.test.{ts,tsx}', 'apps/web/scripts/**/*.test.ts'],
          setupFiles: ['apps/web/src/testing/clean-up.ts'],
          testTimeout: 120_000,
          expect: PATIENT,
        },
      },
    ],
  },
})
