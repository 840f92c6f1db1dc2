import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { LoginNameQuestion, PlannedChange } from '@trellis/contract/database-admin/database-admin.schemas'
import {
  addFirewallRule,
  checkReach,
  endDatabaseSession,
  getConnection,
  getFirewall,
  getRights,
  listDatabaseSessions,
  planDatabaseChange,
  setFirewall,
  testConnection,
} from '@trellis/contract/database-admin/firewall.endpoints'
import {
  createDatabaseProfile,
  createExternalProfile,
  deleteDatabaseProfile,
  deleteExternalProfile,
  getDatabaseProfile,
  getExternalProfile,
  listDatabaseProfiles,
  listExternalProfiles,
  rotateExternalProfile,
  setExternalAccess,
  suggestLoginName,
  updateDatabaseProfile,
  updateExternalProfile,
} from '@trellis/contract/database-admin/profiles.endpoints'
import {
  createDatabaseGroup,
  createDatabaseRole,
  deleteDatabaseGroup,
  deleteDatabaseRole,
  getDatabaseGroup,
  getDatabaseRole,
  listDatabaseGroups,
  listDatabaseRoles,
  listRoleTemplates,
  updateDatabaseGroup,
  updateDatabaseRole,
} from '@trellis/contract/database-admin/roles.endpoints'
import { listSchemas } from '@trellis/contract/explorer/explorer.endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import type { AdminScope } from './admin-scope.ts'

type DatabaseAddress = Pick<AdminScope, 'params' | 'address'>

export function useSchemaNames({ params }: DatabaseAddress) {
  return useQuery(apiQuery(listSchemas, { params }))
}

export function useTemplates({ params }: DatabaseAddress) {
  return useQuery({ ...apiQuery(listRoleTemplates, { params }), staleTime: Infinity })
}

export function useRoles({ params }: DatabaseAddress) {
  return useQuery(apiQuery(listDatabaseRoles, { params }))
}

export function useRole({ params }: DatabaseAddress, code: string) {
  return useQuery(apiQuery(getDatabaseRole, { params: { ...params, role_trellis_code: code } }))
}

export function useGroups({ params }: DatabaseAddress) {
  return useQuery(apiQuery(listDatabaseGroups, { params }))
}

export function useGroup({ params }: DatabaseAddress, code: string) {
  return useQuery(apiQuery(getDatabaseGroup, { params: { ...params, group_trellis_code: code } }))
}

export function useProfiles({ params }: DatabaseAddress) {
  return useQuery(apiQuery(listDatabaseProfiles, { params }))
}

export function useProfile({ params }: DatabaseAddress, code: string) {
  return useQuery(apiQuery(getDatabaseProfile, { params: { ...params, profile_trellis_code: code } }))
}

export function useExternals({ params }: DatabaseAddress) {
  return useQuery({ ...apiQuery(listExternalProfiles, { params }), refetchInterval: 30_000 })
}

export function useExternal({ params }: DatabaseAddress, code: string) {
  return useQuery(apiQuery(getExternalProfile, { params: { ...params, profile_trellis_code: code } }))
}

export function useRights({ params }: DatabaseAddress) {
  return useQuery({ ...apiQuery(getRights, { params }), staleTime: 0 })
}

export function useFirewall({ params }: DatabaseAddress) {
  return useQuery(apiQuery(getFirewall, { params }))
}

export function useConnection({ params }: DatabaseAddress) {
  return useQuery(apiQuery(getConnection, { params }))
}

export function useSessions({ params }: DatabaseAddress) {
  return useQuery({ ...apiQuery(listDatabaseSessions, { params }), staleTime: 0, refetchInterval: 10_000 })
}

/** A dry run, requested only while shown. */
export function useSqlPlan({ address }: DatabaseAddress, change: z.input<typeof PlannedChange>, isShown: boolean) {
  return useQuery({
    ...apiQuery(planDatabaseChange, { params: address, body: change }),
    enabled: isShown,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
}

type LoginNameAbout = Omit<z.input<typeof LoginNameQuestion>, 'integration_trellis_code'>

/** Barely cached: another workspace may take the name. */
export function useSuggestedLoginName({ address, params }: DatabaseAddress, about: LoginNameAbout) {
  const body = { ...about, integration_trellis_code: params.integration_trellis_code }
  return useQuery({
    ...apiQuery(suggestLoginName, { params: address, body }),
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  })
}

/** Grants are connected: changing one invalidates all. */
const rights: readonly Endpoint[] = [
  listDatabaseRoles,
  getDatabaseRole,
  listDatabaseGroups,
  getDatabaseGroup,
  listDatabaseProfiles,
  getDatabaseProfile,
  listExternalProfiles,
  getExternalProfile,
  getRights,
]

/** Without the deleted item's query, which is still mounted and would be 404. */
const rightsBut = (removedEndpoint: Endpoint) => rights.filter(({ id }) => id !== removedEndpoint.id)

export const useCreateRole = () =>
  useApiMutation(createDatabaseRole, { invalidates: rights, successText: 'Role created.' })
export const useUpdateRole = () =>
  useApiMutation(updateDatabaseRole, { invalidates: rights, successText: 'Role saved.' })
export const useDeleteRole = () =>
  useApiMutation(deleteDatabaseRole, { invalidates: rightsBut(getDatabaseRole), successText: 'Role deleted.' })

export const useCreateGroup = () =>
  useApiMutation(createDatabaseGroup, { invalidates: rights, successText: 'Group created.' })
export const useUpdateGroup = () =>
  useApiMutation(updateDatabaseGroup, { invalidates: rights, successText: 'Group saved.' })
export const useDeleteGroup = () =>
  useApiMutation(deleteDatabaseGroup, { invalidates: rightsBut(getDatabaseGroup), successText: 'Group deleted.' })

export const useCreateProfile = () =>
  useApiMutation(createDatabaseProfile, { invalidates: rights, successText: 'User added.' })
export const useUpdateProfile = () =>
  useApiMutation(updateDatabaseProfile, { invalidates: rights, successText: 'User saved.' })
export const useDeleteProfile = () =>
  useApiMutation(deleteDatabaseProfile, {
    invalidates: rightsBut(getDatabaseProfile),
    successText: 'User removed from the database.',
  })
export const useSetExternalAccess = () => useApiMutation(setExternalAccess, { invalidates: rights })

export const useCreateExternal = () => useApiMutation(createExternalProfile, { invalidates: rights })
export const useUpdateExternal = () =>
  useApiMutation(updateExternalProfile, { invalidates: rights, successText: 'Profile saved.' })
export const useRotateExternal = () => useApiMutation(rotateExternalProfile, { invalidates: rights })
export const useDeleteExternal = () =>
  useApiMutation(deleteExternalProfile, {
    invalidates: [...rightsBut(getExternalProfile), listDatabaseSessions, getFirewall],
    successText: 'Profile revoked.',
  })

export const useAddRule = () =>
  useApiMutation(addFirewallRule, { invalidates: [getFirewall, getConnection], successText: 'Rule added.' })
export const useSetFirewall = () => useApiMutation(setFirewall, { invalidates: [getFirewall, getConnection] })
export const useTestConnection = () => useApiMutation(testConnection)
export const useCheckReach = () => useApiMutation(checkReach)
export const useEndSession = () =>
  useApiMutation(endDatabaseSession, {
    invalidates: [listDatabaseSessions],
    successText: 'Connection ended.',
    errorText: withDetail('The connection could not be ended.'),
  })
