import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'tools/**/*.test.{ts,mjs}',
            'connectors/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'tools/scaffold/templates/**'],
          globalSetup: ['tools/test/cluster.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/src/**/*.test.{ts,tsx}', 'apps/web/scripts/**/*.test.ts'],
          testTimeout: 15_000,
        },
      },
    ],
  },
})
