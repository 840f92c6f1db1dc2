import type { WorkspaceNames } from '../names.ts'
import { isLoginName, toRotatedName } from './login-names.ts'

/** Every login for outside tools, of every workspace, is a member: the firewall and the sweep find them by it. */
export const EXTERNAL = 'trellis_external'

export const LOGIN_SUFFIXES = ['a', 'b'] as const
export type LoginSuffix = (typeof LOGIN_SUFFIXES)[number]

const SLUG = /^[0-9a-f]{8}$/

const named =
  (kind: 'r' | 'g' | 'p') =>
  ({ database }: WorkspaceNames, slug: string): string => {
    // The names are put into statements as they are.
    if (!SLUG.test(slug)) throw new Error('The slug of a role is 8 hexadecimal digits.')
    return `${database}_${kind}_${slug}`
  }

const ownRole = named('r')
export const groupName = named('g')
export const profileName = named('p')

export interface NamedProfile {
  readonly slug: string
  /** What people chose; none for logins from before names could be chosen. */
  readonly loginName: string | null
}

/** The first and the second login of a profile: a rotation makes the other one. */
export function loginName(names: WorkspaceNames, { slug, loginName }: NamedProfile, suffix: LoginSuffix): string {
  if (loginName === null) return `${profileName(names, slug)}_${suffix}`
  // The names are put into statements as they are.
  if (!isLoginName(loginName)) throw new Error('This is not the name of a login.')
  return suffix === 'a' ? loginName : toRotatedName(loginName)
}

/** The workspace's own roles, under the slugs they are kept with. */
export const BUILT_IN_SLUGS = ['read', 'write', 'rule'] as const
export type BuiltInSlug = (typeof BUILT_IN_SLUGS)[number]
const BUILT_IN = { read: 'reader', write: 'writer', rule: 'ruler' } as const satisfies Record<
  BuiltInSlug,
  keyof WorkspaceNames
>
export const isBuiltIn = (slug: string): slug is BuiltInSlug => (BUILT_IN_SLUGS as readonly string[]).includes(slug)

export const roleName = (names: WorkspaceNames, slug: string): string =>
  isBuiltIn(slug) ? names[BUILT_IN[slug]] : ownRole(names, slug)
