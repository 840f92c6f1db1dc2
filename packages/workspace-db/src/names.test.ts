import { describe, expect, it } from 'vitest'
import { isVerifierFor, generateCredentials, buildScramVerifier } from './provision/credentials.ts'
import { maskNames, toWorkspaceNames, parseDatabaseNames, generateWorkspaceKey } from './names.ts'

describe('names', () => {
  it('are opaque and never the same', () => {
    const keys = new Set(Array.from({ length: 1000 }, generateWorkspaceKey))
    expect(keys.size).toBe(1000)
    for (const key of keys) expect(toWorkspaceNames(key).database).toMatch(/^w_[0-9a-f]{16}$/)
  })

  it('come only from a key of the right shape', () => {
    for (const key of ['', '0123456789ABCDEF', '0123456789abcdef0', 'x; drop database y', '0123456789abcde\n']) {
      expect(() => toWorkspaceNames(key)).toThrow('16 hexadecimal digits')
    }
    expect(() => parseDatabaseNames('postgres')).toThrow('not the name of a workspace database')
    expect(parseDatabaseNames('w_0123456789abcdef')).toEqual(toWorkspaceNames('0123456789abcdef'))
  })

  it('are taken out of what Postgres says', () => {
    const said =
      'permission denied for database w_0123456789abcdef: role "w_fedcba9876543210_rw" on w_0123456789abcdef_own'
    expect(maskNames(said)).toBe('permission denied for this database: this role on this workspace')
  })
})

describe('passwords', () => {
  it('match the verifier made from them and no other', () => {
    const { readWrite, readOnly } = generateCredentials()
    expect(Buffer.from(readWrite, 'base64url')).toHaveLength(32)
    expect(isVerifierFor(buildScramVerifier(readWrite), readWrite)).toBe(true)
    expect(isVerifierFor(buildScramVerifier(readWrite), readOnly)).toBe(false)
    expect(isVerifierFor('md5abc', readWrite)).toBe(false)
    expect(isVerifierFor(buildScramVerifier(readWrite).replace('$4096:', '$999999999:'), readWrite)).toBe(false)
  })
})
