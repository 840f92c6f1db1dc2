import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Instant } from '../core/shapes.ts'

export const AuditLine = z.object({
  seq: z.int(),
  at: Instant,
  action: z.string(),
  outcome: z.enum(['done', 'refused', 'failed']),
  who: z.nullable(z.object({ name: z.string(), email: z.string() })),
  workspace_id: z.nullable(z.int()),
  detail: z.record(z.string(), z.unknown()),
  ip: z.nullable(z.string()),
})
export type AuditLine = z.infer<typeof AuditLine>

/** A shorter answer is the last page. */
export const AUDIT_PAGE = 50

const AuditQuery = z.object({
  before_seq: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  action: z.optional(z.string().check(z.maxLength(100))),
  outcome: z.optional(z.enum(['done', 'refused', 'failed'])),
  search: z.optional(z.string().check(z.maxLength(200))),
})

export const listAudit = defineEndpoint({
  id: 'listAudit',
  feature: 'audit',
  permission: 'audit:read',
  method: 'GET',
  path: '/:account_trellis_code/audit',
  summary: 'What was done in this account, newest first',
  params: AccountParams,
  query: AuditQuery,
  response: z.array(AuditLine),
})

export const auditEndpoints = [listAudit]
