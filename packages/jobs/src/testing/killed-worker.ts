import { writeFileSync } from 'node:fs'
import { handleJob, runJobs } from '../run-jobs.ts'
import { hold } from './hold-job.ts'

const [url, marker] = process.argv.slice(2) as [string, string]
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
await runJobs({
  url,
  log: quiet,
  ctxFor: () => undefined,
  jobs: [
    handleJob(hold, async () => {
      writeFileSync(marker, String(process.pid))
      await new Promise(() => setInterval(() => undefined, 1000))
    }),
  ],
})
