import type { ActionItem, CreateActionItemRequest } from '@trellis/contract/actions/actions.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { PlaceChoice } from './action-choices.ts'
import { findAllowedAction, listAllowedActions, toAction } from './action-definitions.ts'
import type { ActionArguments } from './action-items.repository.ts'

const MAX_NAME = 100
const MAX_PREVIEW = 2000

export interface PreparedAction {
  readonly title: string
  readonly summary: string
  readonly preview: ActionItem['preview']
  readonly arguments: ActionArguments
}

type Definition = NonNullable<ReturnType<typeof findAllowedAction>>

/** An action without permission looks as if it did not exist. */
export async function prepareAction(ctx: WorkspaceCtx, request: CreateActionItemRequest): Promise<PreparedAction> {
  const definition = findAllowedAction(ctx, request.action_type)
  if (!definition) throw new AppError('not_found', 'There is no such action, or you have no right to use it here.')
  const { title } = definition
  switch (definition.action_type) {
    case 'help': {
      const actions = listAllowedActions(ctx).map((allowedAction) => toAction(allowedAction))
      return {
        title,
        summary: 'List the actions you may use.',
        preview: [],
        arguments: { effect: { kind: 'help', actions } },
      }
    }
    case 'snake':
      return { title, summary: 'Play Snake.', preview: [], arguments: { effect: { kind: 'game', game: 'snake' } } }
    case 'color':
      return await prepareTheme(ctx, definition, request)
    case 'new_worksheet':
      return prepareWorksheet(title, request)
    default:
      return await preparePage(ctx, definition, request)
  }
}

async function prepareTheme(
  ctx: WorkspaceCtx,
  definition: Definition,
  request: CreateActionItemRequest,
): Promise<PreparedAction> {
  const choice = await findChoice(ctx, definition, request)
  const theme_mode = choice ? (choice.value === 'dark' ? 'dark' : 'light') : null
  const summary = theme_mode ? `Use the ${theme_mode} theme.` : 'Switch between the light and the dark theme.'
  return { title: definition.title, summary, preview: [], arguments: { effect: { kind: 'theme', theme_mode } } }
}

function prepareWorksheet(title: string, { argument, sql = '' }: CreateActionItemRequest): PreparedAction {
  const name = toWorksheetName(argument)
  const text = sql.length > MAX_PREVIEW ? `${sql.slice(0, MAX_PREVIEW)}…` : sql
  return {
    title,
    summary: `Create the worksheet “${name}” on your branch. Others see it once you publish it.`,
    preview: [{ label: 'Name', value: name }, ...(text ? [{ label: 'SQL', value: text }] : [])],
    arguments: { worksheet: { name, content: sql } },
  }
}

/** Slashes would create folders; the extension is added later. */
function toWorksheetName(argument: string): string {
  const name = argument
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
    .replace(/\.sql$/i, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(0, MAX_NAME)
    .trim()
  return name || 'New worksheet'
}

async function preparePage(
  ctx: WorkspaceCtx,
  definition: Definition,
  request: CreateActionItemRequest,
): Promise<PreparedAction> {
  const { title, argument } = definition
  const choice = await findChoice(ctx, definition, request)
  const path = choice?.path ?? definition.path
  if (path === undefined) {
    throw new AppError('invalid_request', `Name a ${argument.label.toLowerCase()}.`, {
      source: { pointer: '/argument' },
    })
  }
  return {
    title,
    summary: choice ? `Open ${choice.label}.` : `${definition.description}.`,
    preview: choice ? [{ label: argument.label, value: choice.label }] : [],
    arguments: { effect: { kind: 'navigate', path } },
  }
}

async function findChoice(
  ctx: WorkspaceCtx,
  { choices, argument: { label } }: Definition,
  { argument, ai_project_id }: CreateActionItemRequest,
): Promise<PlaceChoice | undefined> {
  const text = argument.trim()
  if (text === '' || !choices) return undefined
  const placeChoices = matchChoices(await choices(ctx, ai_project_id), text)
  const [first] = placeChoices
  if (!first) {
    throw new AppError('not_found', `There is no ${label.toLowerCase()} “${text}”, or you have no access to it.`)
  }
  if (placeChoices.length === 1) return first
  const names = placeChoices.slice(0, 3).map((placeChoice) => placeChoice.label)
  throw new AppError('invalid_request', `Several match “${text}”: ${names.join(', ')}. Write the whole name.`, {
    source: { pointer: '/argument' },
  })
}

/** By value, else by label, else by the label's end after a dot or slash. */
function matchChoices(choices: readonly PlaceChoice[], text: string): readonly PlaceChoice[] {
  const name = text.toLowerCase()
  const ways: ((choice: PlaceChoice) => boolean)[] = [
    ({ value }) => value === text,
    ({ label }) => label.toLowerCase() === name,
    ({ label }) => {
      const own = label.toLowerCase()
      return (
        own.endsWith(`.${name}`) || own.endsWith(`/${name}`) || own === `${name}.sql` || own.endsWith(`/${name}.sql`)
      )
    },
  ]
  for (const way of ways) {
    const placeChoices = choices.filter((choice) => way(choice))
    if (placeChoices.length > 0) return placeChoices
  }
  return []
}
