/** The peer of the API bench: Fastify with one prepared query. */
import { fastify } from 'fastify'
import pg from 'pg'

const [url = '', port = '0', sessionId = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c trellis.scope=system' })
const app = fastify()
app.get('/identity', async () => {
  const { rows } = await pool.query({
    name: 'identity',
    text: `select p.trellis_user_code as code, p.email, p.first_name, p.surname
             from sessions s join profiles p on p.id = s.profile_id
            where s.id = $1 and s.ended_at is null and s.expires_at > now()`,
    values: [sessionId],
  })
  return { data: rows[0] as unknown }
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.send?.('ready')
process.on('disconnect', () => process.exit())
