import { defineConfig } from '@playwright/test'
import { toLaunchOptions } from './e2e/harness/chromium.ts'

const artifacts = 'e2e/artifacts'

/** Every journey runs against the real product, started once by the global set-up. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: `${artifacts}/results`,
  globalSetup: './e2e/harness/global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A limit for what hangs, not for what is slow: a busy machine takes several times as long.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Recording every test would take a sixth of its time: `npx playwright test <name> --trace on` records one.
    screenshot: 'only-on-failure',
    launchOptions: toLaunchOptions(),
  },
})
