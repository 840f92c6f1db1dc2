import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { handle } from '../../http/handle.ts'
import { getConnection, testConnection } from './connection.ts'
import * as external from './external-profiles.ts'
import { addFirewallRule, getFirewall, setFirewall } from './firewall.ts'
import * as groups from './groups.ts'
import { suggestLoginName } from './logins/suggest-login-name.ts'
import { planDatabaseChange } from './plan.ts'
import * as members from './profiles.ts'
import { checkReach } from './reach.ts'
import { getRights } from './rights.ts'
import * as service from './roles.ts'
import { endDatabaseSession, listDatabaseSessions } from './sessions.service.ts'

const roleRoutes = [
  handle(roles.listDatabaseRoles, ({ params }, ctx) => service.listDatabaseRoles(ctx, params.integration_trellis_code)),
  handle(roles.getDatabaseRole, ({ params }, ctx) =>
    service.getDatabaseRole(ctx, params.integration_trellis_code, params.role_trellis_code),
  ),
  handle(roles.listRoleTemplates, ({ params }, ctx) => service.listRoleTemplates(ctx, params.integration_trellis_code)),
  handle(roles.getDatabaseRoleByCode, ({ params }, ctx) => service.getRoleByCode(ctx, params.role_trellis_code)),
  handle(roles.createDatabaseRole, ({ body }, ctx) => service.createDatabaseRole(ctx, body)),
  handle(roles.updateDatabaseRole, ({ body }, ctx) => service.updateDatabaseRole(ctx, body)),
  handle(roles.deleteDatabaseRole, ({ params }, ctx) =>
    service.deleteDatabaseRole(ctx, params.integration_trellis_code, params.role_trellis_code),
  ),
  handle(roles.listDatabaseGroups, ({ params }, ctx) =>
    groups.listDatabaseGroups(ctx, params.integration_trellis_code),
  ),
  handle(roles.getDatabaseGroup, ({ params }, ctx) =>
    groups.getDatabaseGroup(ctx, params.integration_trellis_code, params.group_trellis_code),
  ),
  handle(roles.createDatabaseGroup, ({ body }, ctx) => groups.createDatabaseGroup(ctx, body)),
  handle(roles.updateDatabaseGroup, ({ body }, ctx) => groups.updateDatabaseGroup(ctx, body)),
  handle(roles.deleteDatabaseGroup, ({ params }, ctx) =>
    groups.deleteDatabaseGroup(ctx, params.integration_trellis_code, params.group_trellis_code),
  ),
]

const profileRoutes = [
  handle(profiles.listDatabaseProfiles, ({ params }, ctx) =>
    members.listDatabaseProfiles(ctx, params.integration_trellis_code),
  ),
  handle(profiles.getDatabaseProfile, ({ params }, ctx) =>
    members.getDatabaseProfile(ctx, params.integration_trellis_code, params.profile_trellis_code),
  ),
  handle(profiles.createDatabaseProfile, ({ body }, ctx) => members.createDatabaseProfile(ctx, body)),
  handle(profiles.updateDatabaseProfile, ({ body }, ctx) => members.updateDatabaseProfile(ctx, body)),
  handle(profiles.setExternalAccess, ({ body }, ctx) => members.setExternalAccess(ctx, body)),
  handle(profiles.deleteDatabaseProfile, ({ params }, ctx) =>
    members.deleteDatabaseProfile(ctx, params.integration_trellis_code, params.profile_trellis_code),
  ),
  handle(profiles.suggestLoginName, ({ body }, ctx) => suggestLoginName(ctx, body)),
  handle(profiles.listExternalProfiles, ({ params }, ctx) =>
    external.listExternalProfiles(ctx, params.integration_trellis_code),
  ),
  handle(profiles.getExternalProfile, ({ params }, ctx) =>
    external.getExternalProfile(ctx, params.integration_trellis_code, params.profile_trellis_code),
  ),
  handle(profiles.createExternalProfile, ({ body }, ctx) => external.createExternalProfile(ctx, body)),
  handle(profiles.updateExternalProfile, ({ body }, ctx) => external.updateExternalProfile(ctx, body)),
  handle(profiles.rotateExternalProfile, ({ body }, ctx) => external.rotateExternalProfile(ctx, body)),
  handle(profiles.deleteExternalProfile, ({ params }, ctx) =>
    external.deleteExternalProfile(ctx, params.integration_trellis_code, params.profile_trellis_code),
  ),
]

const firewallRoutes = [
  handle(firewall.getFirewall, ({ params }, ctx) => getFirewall(ctx, params.integration_trellis_code)),
  handle(firewall.addFirewallRule, ({ body }, ctx) => addFirewallRule(ctx, body)),
  handle(firewall.setFirewall, ({ body }, ctx) => setFirewall(ctx, body)),
  handle(firewall.getConnection, ({ params }, ctx) => getConnection(ctx, params.integration_trellis_code)),
  handle(firewall.testConnection, ({ body }, ctx) => testConnection(ctx, body)),
  handle(firewall.getRights, ({ params }, ctx) => getRights(ctx, params.integration_trellis_code)),
  handle(firewall.checkReach, ({ body }, ctx) => checkReach(ctx, body)),
  handle(firewall.planDatabaseChange, ({ body }, ctx) => planDatabaseChange(ctx, body)),
  handle(firewall.listDatabaseSessions, ({ params }, ctx) =>
    listDatabaseSessions(ctx, params.integration_trellis_code),
  ),
  handle(firewall.endDatabaseSession, ({ params }, ctx) =>
    endDatabaseSession(ctx, params.integration_trellis_code, params.pid),
  ),
]

export const databaseAdminRoutes = [...roleRoutes, ...profileRoutes, ...firewallRoutes]
