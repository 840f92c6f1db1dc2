import * as z from 'zod/mini'

/** Segments used by the product's own pages and calls, so no account code or workspace address may take them. */
const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'account',
  'accounts',
  'activate',
  'admin',
  'api',
  'assets',
  'auth',
  'create-account',
  'create-workspace',
  'deactivated-account',
  'design',
  'docs',
  'door',
  'favicon',
  'forgot-password',
  'git',
  'health',
  'healthz',
  'help',
  'initialize-profile',
  'login',
  'logout',
  'mailbox',
  'metrics',
  'openapi',
  'plan-activation',
  'plan-change',
  'plan-select',
  'platforms',
  'profile',
  'profile-token',
  'profiles',
  'readyz',
  'report',
  'reset',
  'roles',
  'sandbox',
  'simulators',
  'settings',
  'signup',
  'sso',
  'static',
  'support',
  'trellis',
  'webhooks',
  'workspace',
  'workspaces',
])

export const namedThing = (label: string) =>
  z
    .string({ error: 'Field required' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'Field required', abort: true }),
      z.maxLength(60, `${label} must be at most 60 characters long`),
      z.regex(/^[\p{L}\p{N} _-]+$/u, `${label} may have letters, numbers, spaces, dashes and underscores only`),
    )

export const AccountName = namedThing('Account name')
export const WorkspaceName = namedThing('Workspace name')

export const NewWorkspaceAddress = z.string({ error: 'Field required' }).check(
  z.trim(),
  z.minLength(1, { error: 'Field required', abort: true }),
  z.maxLength(50, { error: 'Workspace address must be at most 50 characters long', abort: true }),
  z.regex(/^[a-z0-9]+$/, { error: 'Workspace address may have lower-case letters and numbers only', abort: true }),
  z.refine((address) => !RESERVED_WORDS.has(address), {
    error: 'This address is used by the product itself. Choose another one.',
  }),
)
