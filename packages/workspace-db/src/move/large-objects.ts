import pg from 'pg'

const PIECE_BYTES = 1024 * 1024

/** By the administrators: they hold bytes, and run nothing. */
export async function copyLargeObjects({ from, to }: { from: pg.Client; to: pg.Client }): Promise<void> {
  const { rows } = await from.query<{ oid: string; owner: string; grants: string[] }>(
    `select m.oid::text, r.rolname as owner,
            array(select format('grant %s on large object %s to %s', a.privilege_type, m.oid,
                                case a.grantee when 0 then 'public' else quote_ident(g.rolname) end)
                    from aclexplode(m.lomacl) a left join pg_roles g on g.oid = a.grantee
                   where a.grantee <> m.lomowner) as grants
       from pg_largeobject_metadata m join pg_roles r on r.oid = m.lomowner order by m.oid`,
  )
  for (const { oid, owner, grants } of rows) {
    await to.query("select lo_from_bytea($1::oid, '')", [oid])
    for (let offset = 0; ; offset += PIECE_BYTES) {
      const piece = (
        await from.query<{ bytes: Buffer }>('select lo_get($1::oid, $2, $3) as bytes', [oid, offset, PIECE_BYTES])
      ).rows[0]
      if (!piece || piece.bytes.length === 0) break
      await to.query('select lo_put($1::oid, $2, $3)', [oid, offset, piece.bytes])
    }
    await to.query(`alter large object ${oid} owner to ${pg.escapeIdentifier(owner)}`)
    for (const grant of grants) await to.query(grant)
  }
}

export async function hashLargeObjects(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    `select concat_ws(' ', count(*), sum(hashtextextended(m.oid::text || encode(sha256(lo_get(m.oid)), 'hex'), 0)::numeric)) as hash
       from pg_largeobject_metadata m`,
  )
  return rows[0]?.hash ?? ''
}
