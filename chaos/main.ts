const PARTS: Record<string, () => Promise<unknown>> = {
  cluster: () => import('./cluster/run.ts'),
  pooler: () => import('./pooler/run.ts'),
  'two-clusters': () => import('./two-clusters/run.ts'),
  upgrade: () => import('./upgrade/run.ts'),
}

const part = PARTS[process.argv[2] ?? '']
if (part) process.argv.splice(2, 1)
await(part ?? (() => import('./run.ts')))()
