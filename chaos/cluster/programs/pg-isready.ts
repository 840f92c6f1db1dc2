/** Exit codes of pg_isready: 0 accepts connections, 1 refuses them, 2 does not answer. */
import { connect } from 'node:net'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    host: { type: 'string', short: 'h', default: '127.0.0.1' },
    port: { type: 'string', short: 'p', default: '5432' },
    dbname: { type: 'string', short: 'd', default: 'postgres' },
    username: { type: 'string', short: 'U', default: 'postgres' },
  },
})

const PROTOCOL = 0x0003_0000
const TIMEOUT_MS = 3000
const end = (code: number) => process.exit(code)

const names = Buffer.from(`user\0${values.username}\0database\0${values.dbname}\0\0`)
const head = Buffer.alloc(8)
head.writeInt32BE(head.length + names.length)
head.writeInt32BE(PROTOCOL, 4)
const socket = connect(Number(values.port), values.host)
socket.setTimeout(TIMEOUT_MS, () => end(2))
socket.on('error', () => end(2)).on('end', () => end(2))
socket.on('data', (answer) => end(answer[0] === 0x45 && answer.includes('C57P03') ? 1 : 0))
socket.write(Buffer.concat([head, names]))
