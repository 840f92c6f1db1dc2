import { expect, test } from 'vitest'
import { editAddress, findAddressProblem, listAddresses, readAddress } from './address.ts'

const SEVERAL = 'postgres://me:p%40ss@one:5433,[::1],three/shop?sslmode=disable&target_session_attrs=read-write'

test('each host of an address has one of its own, without what the driver does not know', () => {
  expect(listAddresses(SEVERAL)).toEqual([
    'postgres://me:p%40ss@one:5433/shop?sslmode=disable',
    'postgres://me:p%40ss@[::1]/shop?sslmode=disable',
    'postgres://me:p%40ss@three/shop?sslmode=disable',
  ])
  expect(listAddresses('postgres://one/shop')).toEqual(['postgres://one/shop'])
})

test('an address is read whatever the number of its hosts', () => {
  expect(readAddress(SEVERAL)).toEqual({
    hosts: [
      { host: 'one', port: 5433 },
      { host: '::1', port: 5432 },
      { host: 'three', port: 5432 },
    ],
    user: 'me',
    database: 'shop',
  })
  expect(readAddress('postgres://a%20b:x@one/d%2Fb')).toMatchObject({ user: 'a b', database: 'd/b' })
})

test('login and database are changed and the hosts stay', () => {
  const edited = editAddress(SEVERAL, (url) => {
    url.username = 'you'
    url.pathname = '/other'
  })
  expect(edited).toBe(
    'postgres://you:p%40ss@one:5433,[::1],three/other?sslmode=disable&target_session_attrs=read-write',
  )
})

test.each([
  ['postgres://u:p@a:5432,b/db', undefined],
  ['postgresql://u@a/db?target_session_attrs=primary', undefined],
  ['postgres:///db?host=/tmp', undefined],
  ['mysql://a/db', 'must look like'],
  ['somewhere', 'must look like'],
  ['postgres://u:p@a,,b/db', 'must look like'],
  ['postgres://u:p@a:x,b/db', 'must look like'],
  ['postgres://u:p@a,b/db?target_session_attrs=standby', 'must not have target_session_attrs=standby'],
  ['postgres://u:p@a,b/db?target_session_attrs=any', 'use read-write or primary'],
])('%s: %s', (address, problem) => {
  const addressProblem = findAddressProblem(address)
  if (problem === undefined) expect(addressProblem).toBeUndefined()
  else expect(addressProblem).toContain(problem)
})

test('a replica may not be asked to take writes', () => {
  expect(findAddressProblem('postgres://a/db?target_session_attrs=standby', 'standby')).toBeUndefined()
  expect(findAddressProblem('postgres://a/db?target_session_attrs=read-write', 'standby')).toContain('standby')
})
