import type { Action, ActionType } from '@trellis/contract/actions/actions.schemas'
import { type Permission, allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type PlaceChoice,
  listDatabaseChoices,
  listIntegrationChoices,
  listPlatformChoices,
  listProjectChoices,
  listSchemaChoices,
  listTableChoices,
  listUploadChoices,
  listWorksheetChoices,
} from './action-choices.ts'
import { places } from './places.ts'

interface ActionDefinition extends Action {
  readonly permission: Permission
  readonly choices?: (ctx: WorkspaceCtx, projectCode?: string) => Promise<readonly PlaceChoice[]>
  readonly path?: string
}

interface OpenAction {
  readonly type: ActionType
  readonly title: string
  readonly description: string
  readonly permission: Permission
  readonly label: string
  readonly choices: NonNullable<ActionDefinition['choices']>
  readonly path?: string
}

const defineOpenAction = ({
  type,
  title,
  description,
  permission,
  label,
  choices,
  path,
}: OpenAction): ActionDefinition => ({
  action_type: type,
  title,
  description,
  permission,
  argument: { kind: 'choice', label, is_required: path === undefined },
  can_undo: false,
  choices,
  ...(path !== undefined && { path }),
})

const NO_ARGUMENT = { kind: 'none', label: '', is_required: false } as const

const DEFINITIONS: readonly ActionDefinition[] = [
  {
    action_type: 'help',
    title: 'Help',
    description: 'List the actions you may use',
    permission: 'ai:use',
    argument: NO_ARGUMENT,
    can_undo: false,
  },
  {
    action_type: 'new_worksheet',
    title: 'New worksheet',
    description: 'Create a worksheet on your branch',
    permission: 'worksheets:draft',
    argument: { kind: 'text', label: 'Name', is_required: false },
    can_undo: true,
  },
  defineOpenAction({
    type: 'view_worksheet',
    title: 'Open worksheet',
    description: 'Open one of your worksheets',
    permission: 'worksheets:read',
    label: 'Worksheet',
    choices: listWorksheetChoices,
  }),
  defineOpenAction({
    type: 'view_table',
    title: 'Open table',
    description: 'Show the rows of a table or view',
    permission: 'explorer:read',
    label: 'Table',
    choices: listTableChoices,
  }),
  defineOpenAction({
    type: 'view_schema',
    title: 'Open schema',
    description: 'Show the tables of a schema',
    permission: 'explorer:read',
    label: 'Schema',
    choices: listSchemaChoices,
  }),
  defineOpenAction({
    type: 'view_database',
    title: 'Open database',
    description: 'Show a database and its schemas',
    permission: 'explorer:read',
    label: 'Database',
    choices: listDatabaseChoices,
  }),
  defineOpenAction({
    type: 'view_project',
    title: 'Open AI project',
    description: 'Show tables, documents and context of an AI project',
    permission: 'ai:use',
    label: 'Project',
    choices: listProjectChoices,
  }),
  defineOpenAction({
    type: 'upload_file',
    title: 'Upload a file',
    description: 'Make a table from a file',
    permission: 'uploads:write',
    label: 'Schema',
    choices: listUploadChoices,
  }),
  defineOpenAction({
    type: 'create_integration',
    title: 'New integration',
    description: 'Connect a platform',
    permission: 'integrations:write',
    label: 'Platform',
    choices: listPlatformChoices,
    path: places.newIntegration(),
  }),
  defineOpenAction({
    type: 'update_integration',
    title: 'Change integration',
    description: 'Change the settings of an integration',
    permission: 'integrations:write',
    label: 'Integration',
    choices: listIntegrationChoices,
  }),
  {
    action_type: 'color',
    title: 'Switch theme',
    description: 'Light or dark',
    permission: 'ai:use',
    argument: { kind: 'choice', label: 'Theme', is_required: false },
    can_undo: false,
    choices: async () =>
      ['light', 'dark'].map((value) => ({ value, label: value, description: `Use the ${value} theme`, path: '' })),
  },
  {
    action_type: 'snake',
    title: 'Snake',
    description: 'Play a round of Snake',
    permission: 'ai:use',
    argument: NO_ARGUMENT,
    can_undo: false,
  },
]

export const toAction = ({ permission: _, choices: __, path: ___, ...action }: ActionDefinition): Action => action

export function listAllowedActions({ account, workspace }: WorkspaceCtx): ActionDefinition[] {
  const callerRoles = { accountRole: account.role, workspaceRole: workspace.role }
  return DEFINITIONS.filter(({ permission }) => allows(permission, callerRoles))
}

export const findAllowedAction = (ctx: WorkspaceCtx, type: ActionType): ActionDefinition | undefined =>
  listAllowedActions(ctx).find(({ action_type }) => action_type === type)
