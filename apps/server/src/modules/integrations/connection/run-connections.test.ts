import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { expect, test } from 'vitest'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { toRunProblem } from './run-connections.service.ts'

const refused = (code: string) =>
  new ConnectorError('configuration', 'Not reached.', { field: 'connection.port', cause: { code } })
const getProblemKind = (error: unknown) => toRunProblem({} as SystemCtx, error, undefined).kind

test('a host that a run does not reach is tried again, one that has no such name is to be mended', () => {
  expect(getProblemKind(refused('ECONNREFUSED'))).toBe('transient')
  expect(getProblemKind(refused('ETIMEDOUT'))).toBe('transient')
  expect(getProblemKind(refused('ENOTFOUND'))).toBe('configuration')
})
