import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

const users = () => import('../features/database-admin/users/UserEditPage.tsx')
const groups = () => import('../features/database-admin/groups/GroupEditPage.tsx')
const roles = () => import('../features/database-admin/roles/RoleEditPage.tsx')
const profiles = () => import('../features/database-admin/external/ExternalProfileEditPage.tsx')

export const databaseAdminRoutes: RouteObject[] = [
  page({
    path: 'users',
    handle: { title: 'Users' },
    lazy: () => import('../features/database-admin/users/UsersPage.tsx'),
  }),
  page({ path: 'users/new', handle: { title: 'Add a user' }, lazy: users }),
  page({ path: 'users/:userId', handle: { title: 'User' }, lazy: users }),
  page({
    path: 'groups',
    handle: { title: 'Groups' },
    lazy: () => import('../features/database-admin/groups/GroupsPage.tsx'),
  }),
  page({ path: 'groups/new', handle: { title: 'New group' }, lazy: groups }),
  page({ path: 'groups/:groupId', handle: { title: 'Group' }, lazy: groups }),
  page({
    path: 'roles',
    handle: { title: 'Roles' },
    lazy: () => import('../features/database-admin/roles/RolesPage.tsx'),
  }),
  page({ path: 'roles/new', handle: { title: 'New role' }, lazy: roles }),
  page({ path: 'roles/:roleId', handle: { title: 'Role' }, lazy: roles }),
  page({
    path: 'external-profiles',
    handle: { title: 'External profiles' },
    lazy: () => import('../features/database-admin/external/ExternalProfilesPage.tsx'),
  }),
  page({ path: 'external-profiles/new', handle: { title: 'New external profile' }, lazy: profiles }),
  page({ path: 'external-profiles/:profileId', handle: { title: 'External profile' }, lazy: profiles }),
  page({
    path: 'rights',
    handle: { title: 'Rights' },
    lazy: () => import('../features/database-admin/rights/RightsPage.tsx'),
  }),
  page({
    path: 'connection',
    handle: { title: 'Connection' },
    lazy: () => import('../features/database-admin/connection/ConnectionPage.tsx'),
  }),
]
