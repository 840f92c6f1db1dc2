import { watchCluster } from '../../apps/server/src/supervisor/watch/watch-cluster.ts'

interface WatchedServer {
  readonly pid: number
  readonly url: string
  readonly folder: string
  readonly memoryBytes: number
  readonly disk: number
}

const { memoryBytes, disk, ...server } = JSON.parse(process.argv[2] ?? '{}') as WatchedServer
const watch = watchCluster({
  server: () => server,
  limits: { memoryBytes, disk },
  warn: (line) => {
    if (process.env['DEBUG']) console.log(line)
    if (/was stopped|was ended/.test(line)) process.send?.('told')
  },
})
process.on('disconnect', () => void watch.stop().then(() => process.exit()))
