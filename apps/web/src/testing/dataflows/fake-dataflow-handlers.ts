import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockCard, BlockMetadata } from '@trellis/contract/dataflows/task-blocks.schemas'
import { disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { hasSchedule, usedActivities } from '@trellis/contract/dataflows/triggers'
import { fakeBlock, fakeDataflow, fakeSettings, type FakeBlock, type FakeSettings } from './fake-dataflows.ts'
import { FakeError } from '../fake-error.ts'
import type { Handler, Input } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'

const done = { done: true as const }
const now = () => new Date().toISOString()

function getFlow(world: FakeWorld, code: string | undefined) {
  const found = world.dataflows.list.find((candidate) => candidate.trellis_code === code)
  if (!found) throw new FakeError('not_found')
  return found
}

function getBlock(world: FakeWorld, code: string | undefined) {
  const block = world.dataflows.blocks.find((candidate) => candidate.task_block_trellis_code === code)
  if (!block) throw new FakeError('not_found')
  return block
}

function getFolder(world: FakeWorld, code: string | undefined) {
  const folder = world.dataflows.folders.find((candidate) => candidate.trellis_code === code)
  if (!folder) throw new FakeError('not_found')
  return folder
}

const getBlockName = (world: FakeWorld, code: string) => getBlock(world, code).name

function toBlockCard(world: FakeWorld, block: FakeBlock): BlockCard {
  const waits_for = usedActivities(block.settings.trigger)
  const joint = block.settings.trigger.eventEvaluationType === 'And' ? ' and ' : ' or '
  return {
    ...block,
    waits_for,
    trigger_scope: block.settings.trigger.eventEvaluationType,
    has_schedule: hasSchedule(block.settings.trigger),
    trigger_in_words: waits_for.length
      ? `When ${waits_for.map((code) => getBlockName(world, code)).join(joint)} has succeeded`
      : 'Nothing starts it',
  }
}

function findCycle(world: FakeWorld, block: FakeBlock, settings: FakeSettings): string[] | null {
  const seen: string[] = []
  const walk = (code: string): boolean => {
    if (code === block.task_block_trellis_code) return true
    if (seen.includes(code)) return false
    seen.push(code)
    return usedActivities(getBlock(world, code).settings.trigger).some(walk)
  }
  return usedActivities(settings.trigger).some(walk)
    ? [block.name, ...seen.map((code) => getBlockName(world, code))]
    : null
}

const create =
  (kind: ActivityKind): Handler =>
  (world, { body }) => {
    const sent = body as {
      dataflow_trellis_code: string
      name: string
      metadata: BlockMetadata
      settings?: Partial<FakeSettings>
    }
    const integration = world.integrations.list.find(
      (candidate) => candidate.integration_trellis_code === sent.settings?.integration_trellis_code,
    )
    const block = fakeBlock(`b-new-${world.dataflows.blocks.length}`, {
      kind,
      name: sent.name,
      x: 0,
      y: 0,
      settings: fakeSettings(kind, sent.settings),
      status: 'SETUP_INCOMPLETE',
      publish_state: 'incomplete',
      faults: [{ kind: 'missing', path: 'subtasks', message: 'Add what to read' }],
      published_version: null,
      published_number: null,
      last_run: null,
      next_due_at: null,
      platform_trellis_code: integration?.platform_trellis_code ?? null,
      platform_icon: integration?.icon ?? null,
      integration_name: integration?.name ?? null,
    })
    block.dataflow_trellis_code = sent.dataflow_trellis_code
    block.metadata = sent.metadata
    world.dataflows.blocks.push(block)
    return block
  }

const update: Handler = (world, { body }) => {
  const sent = body as { task_block_trellis_code: string; version: number; settings: Partial<FakeSettings> }
  const block = getBlock(world, sent.task_block_trellis_code)
  if (sent.version !== block.version)
    throw new FakeError('conflict', { detail: `Grace Hopper changed ${block.name} in the meantime.` })
  const settings = { ...block.settings, ...sent.settings } as FakeSettings
  const circle = findCycle(world, block, settings)
  if (circle)
    throw new FakeError('trigger_cycle', { detail: `These would wait for each other: ${circle.join(' → ')}.` })
  block.settings = settings
  block.version += 1
  if (block.publish_state === 'published') block.publish_state = 'changed'
  return block
}

const get: Handler = (world, { params }) => getBlock(world, params['task_block_trellis_code'])

function createRun(block: FakeBlock) {
  const at = now()
  return {
    task_run_trellis_code: `r-${block.task_block_trellis_code}`,
    task_block_trellis_code: block.task_block_trellis_code,
    dataflow_trellis_code: block.dataflow_trellis_code,
    flow_run_trellis_code: null,
    block_name: block.name,
    kind: block.kind,
    status: 'QUEUED',
    waiting_for: null,
    started_by: 'person',
    who: 'Ada Lovelace',
    because: 'Ada Lovelace started it',
    nominal_at: null,
    due_at: at,
    started_at: null,
    finished_at: null,
    retry_at: null,
    counters: {
      rows_read: 0,
      rows_written: 0,
      rows_updated: 0,
      rows_rejected: 0,
      bytes: 0,
      rows_per_second: 0,
      peak_memory_bytes: 0,
    },
    problem: null,
    can_retry: false,
    can_cancel: true,
    is_shadow: false,
    version: block.version,
    version_number: block.published_number ?? 1,
    undo: null,
  }
}

const ofGroup = (world: FakeWorld, { params }: Input) =>
  world.dataflows.groups.find((candidate) => candidate.trellis_code === params['trellis_code'])

export const dataflowHandlers: Record<string, Handler> = {
  getFolderStructure: ({ dataflows }) => ({
    folders: dataflows.folders,
    dataflows: dataflows.list.filter((item) => !item.isDeleted),
  }),
  createDataflow: (world, { body }) => {
    const { name, folder_trellis_code = null } = body as { name: string; folder_trellis_code?: string | null }
    const one = fakeDataflow(`d-new-${world.dataflows.list.length}`, name, {
      folder_trellis_code,
      status: 'SETUP_INCOMPLETE',
    })
    world.dataflows.list.push(one)
    return one
  },
  createDataflowFolder: (world, { body }) => {
    const { name, parent_trellis_code = null } = body as { name: string; parent_trellis_code?: string | null }
    const { folders } = world.dataflows
    const one = { trellis_code: `f-new-${folders.length}`, name, parent_trellis_code, order: folders.length }
    folders.push(one)
    return one
  },
  getDataflow: (world, { params }) => getFlow(world, params['trellis_code']),
  updateDataflow: (world, { params, body }) =>
    Object.assign(getFlow(world, params['relative_trellis_code']), body as object),
  deleteDataflow: (world, { params }) => {
    getFlow(world, params['trellis_code']).isDeleted = true
    return done
  },
  restoreDataflow: (world, { params }) => Object.assign(getFlow(world, params['trellis_code']), { isDeleted: false }),
  updateDataflowFolder: (world, { params, body }) =>
    Object.assign(getFolder(world, params['trellis_code']), body as object),
  deleteDataflowFolder: (world, { params }) => {
    const { trellis_code, parent_trellis_code } = getFolder(world, params['trellis_code'])
    const { dataflows } = world
    dataflows.folders = dataflows.folders.filter((folder) => folder.trellis_code !== trellis_code)
    for (const folder of dataflows.folders)
      if (folder.parent_trellis_code === trellis_code) folder.parent_trellis_code = parent_trellis_code
    for (const item of dataflows.list)
      if (item.folder_trellis_code === trellis_code) item.folder_trellis_code = parent_trellis_code
    return done
  },
  exportDataflow: (world, { params }) => ({ yaml: `name: ${getFlow(world, params['trellis_code']).name}\n` }),
  importDataflow: (world, { body }) => {
    const sent = body as { yaml: string; is_trial?: boolean }
    const problems = world.dataflows.importProblems
    const name = /^name: (.+)$/m.exec(sent.yaml)?.[1] ?? 'Imported'
    const changes = [{ kind: 'added', what: `The dataflow ${name}` }]
    if (sent.is_trial || problems.length > 0) return { trellis_code: null, changes, kept: [], problems }
    const one = fakeDataflow(`d-imported-${world.dataflows.list.length}`, name)
    world.dataflows.list.push(one)
    return { trellis_code: one.trellis_code, changes, kept: [], problems: [] }
  },
  getCanvas: (world, { params }) => {
    const flow = getFlow(world, params['dataflow_trellis_code'])
    const isHere = (item: { dataflow_trellis_code: string }) => item.dataflow_trellis_code === flow.trellis_code
    return {
      dataflow_trellis_code: flow.trellis_code,
      name: flow.name,
      blocks: world.dataflows.blocks
        .filter((block) => isHere(block) && !block.isDeleted)
        .map((block) => toBlockCard(world, block)),
      groups: world.dataflows.groups.filter((other) => other.dataflow === flow.trellis_code),
    }
  },
  putCanvasGroup: (world, { body }) => {
    const { dataflow_trellis_code, trellis_code, task_block_trellis_codes, ...rest } = body as {
      dataflow_trellis_code: string
      trellis_code?: string
      name: string
      color: 'gray'
      task_block_trellis_codes?: string[]
    }
    const { groups } = world.dataflows
    let group = groups.find((candidate) => candidate.trellis_code === trellis_code)
    if (!group) {
      const made = `g-${groups.length + 1}`
      group = { trellis_code: made, note: '', is_folded: false, dataflow: dataflow_trellis_code, ...rest }
      groups.push(group)
    }
    Object.assign(group, rest)
    for (const code of task_block_trellis_codes ?? [])
      getBlock(world, code).metadata.group_trellis_code = group.trellis_code
    return group
  },
  deleteCanvasGroup: (world, input) => {
    const group = ofGroup(world, input)
    world.dataflows.groups = world.dataflows.groups.filter((other) => other !== group)
    for (const { metadata } of world.dataflows.blocks)
      if (metadata.group_trellis_code === group?.trellis_code) metadata.group_trellis_code = null
    return done
  },
  createSourceBlock: create('Source'),
  createTransformationBlock: create('Transformation'),
  createDestinationBlock: create('Destination'),
  updateSourceBlock: update,
  updateTransformationBlock: update,
  updateDestinationBlock: update,
  getSourceBlock: get,
  getTransformationBlock: get,
  getDestinationBlock: get,
  updateBlockMetadata: (world, { body }) => {
    const { blocks } = body as { blocks: { task_block_trellis_code: string; metadata: Partial<BlockMetadata> }[] }
    return blocks.map(({ task_block_trellis_code, metadata }) => {
      const block = getBlock(world, task_block_trellis_code)
      block.metadata = { ...block.metadata, ...metadata }
      return { task_block_trellis_code, metadata: block.metadata }
    })
  },
  renameBlock: (world, { body }) => {
    const { task_block_trellis_code, name } = body as { task_block_trellis_code: string; name: string }
    getBlock(world, task_block_trellis_code).name = name
    return done
  },
  deleteBlock: (world, { params }) => {
    const block = getBlock(world, params['task_block_trellis_code'])
    block.isDeleted = true
    for (const other of world.dataflows.blocks.filter((item) => !item.isDeleted))
      other.settings = {
        ...other.settings,
        trigger: disconnectActivity(other.settings.trigger, block.task_block_trellis_code),
      } as FakeSettings
    return done
  },
  restoreBlock: (world, { params }) => {
    const block = getBlock(world, params['task_block_trellis_code'])
    block.isDeleted = false
    return toBlockCard(world, block)
  },
  executeBlock: (world, { params, body }) => {
    const block = getBlock(world, params['task_block_trellis_code'])
    if ((body as { is_shadow?: boolean } | undefined)?.is_shadow) return { ...createRun(block), is_shadow: true }
    if (block.published_version === null)
      throw new FakeError('block_incomplete', { detail: `${block.name} was never published. Publish it first.` })
    block.status = 'PENDING'
    return createRun(block)
  },
  publishBlock: (world, { params, body }) => {
    const block = getBlock(world, params['task_block_trellis_code'])
    const { version } = body as { version: number }
    if (version !== block.version)
      throw new FakeError('conflict', { detail: `Grace Hopper changed ${block.name} in the meantime.` })
    if (block.faults.length > 0) throw new FakeError('block_incomplete', { detail: block.faults[0]?.message ?? '' })
    const number = (block.published_number ?? 0) + 1
    Object.assign(block, { publish_state: 'published', published_version: version, published_number: number })
    return {
      version,
      number,
      published_at: now(),
      published_by: 'Ada Lovelace',
      message: '',
      is_live: true,
      settings: {},
    }
  },
}
