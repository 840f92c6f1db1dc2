import type { WorkspaceNames } from '../names.ts'
import { isLoginName, toRotatedName } from './login-names.ts'

/** Every external login is a member, by which firewall and sweep find them. */
export const EXTERNAL = 'trellis_external'

export const LOGIN_SUFFIXES = ['a', 'b'] as const
export type LoginSuffix = (typeof LOGIN_SUFFIXES)[number]

const SLUG = /^[0-9a-f]{8}$/

const createRoleNamer =
  (kind: 'r' | 'g' | 'p') =>
  ({ database }: WorkspaceNames, slug: string): string => {
    if (!SLUG.test(slug)) throw new Error('The slug of a role is 8 hexadecimal digits.')
    return `${database}_${kind}_${slug}`
  }

const toCustomRoleName = createRoleNamer('r')
export const toGroupRoleName = createRoleNamer('g')
export const toProfileRoleName = createRoleNamer('p')

export interface NamedProfile {
  readonly slug: string
  /** Null for logins older than custom names. */
  readonly loginName: string | null
}

export function loginName(names: WorkspaceNames, { slug, loginName }: NamedProfile, suffix: LoginSuffix): string {
  if (loginName === null) return `${toProfileRoleName(names, slug)}_${suffix}`
  // Names are not quoted.
  if (!isLoginName(loginName)) throw new Error('This is not the name of a login.')
  return suffix === 'a' ? loginName : toRotatedName(loginName)
}

export const BUILT_IN_SLUGS = ['read', 'write', 'rule'] as const
export type BuiltInSlug = (typeof BUILT_IN_SLUGS)[number]
const BUILT_IN_ROLES = { read: 'reader', write: 'writer', rule: 'ruler' } as const satisfies Record<
  BuiltInSlug,
  keyof WorkspaceNames
>
export const isBuiltIn = (slug: string): slug is BuiltInSlug => (BUILT_IN_SLUGS as readonly string[]).includes(slug)

export const buildRoleName = (names: WorkspaceNames, slug: string): string =>
  isBuiltIn(slug) ? names[BUILT_IN_ROLES[slug]] : toCustomRoleName(names, slug)
