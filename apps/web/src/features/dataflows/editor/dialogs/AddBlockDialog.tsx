import { ACTIVITY_KINDS, type ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Integration } from '@trellis/contract/integrations/integrations.schemas'
import { Braces, DatabaseZap, Plus, Table2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../../ui/forms/Choices.tsx'
import { Tabs } from '../../../../ui/layout/Tabs.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useIntegrations } from '../../../../connecting/connecting.queries.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { copyName } from '../model/clip.ts'
import { freePlace, NODE_WIDTH, type Point } from '../model/geometry.ts'
import { KindIcon } from '../view/KindIcon.tsx'
import type { DialogProps } from './dialog-props.ts'
import { ChoiceList } from './ChoiceList.tsx'
import styles from './dialogs.module.css'

const ACTIVITY_LABELS: Record<ActivityKind, string> = {
  Source: 'Brings data from a connected system into the database of this workspace.',
  Transformation: 'Works on tables of this workspace, with SQL or JavaScript.',
  Destination: 'Sends a table or the result of a query to a connected system.',
}

interface ChosenBlock {
  name: string
  integration: string | null
  language?: 'sql' | 'javascript'
}

interface AddProps extends DialogProps {
  after: BlockCard | null
  point: Point | null
}

export default function AddBlockDialog({ canvas, actions, after, point, onMade, onClose }: AddProps) {
  const [kind, setKind] = useState<ActivityKind>(after === null ? 'Source' : 'Transformation')
  const [isAfter, setAfter] = useState(true)
  const add = async ({ name, ...facts }: ChosenBlock) => {
    onClose()
    const createdBlock = await actions.create({
      ...facts,
      kind,
      name: copyName(name, new Set(canvas.blocks.map((block) => block.name))),
      point: findPlaceFor(canvas.blocks, after, point),
      after: after !== null && isAfter ? after.task_block_trellis_code : null,
    })
    if (createdBlock !== undefined) onMade(createdBlock)
  }
  return (
    <Dialog title="Add a block" size="md" onClose={onClose}>
      <Tabs
        label="Kind of block"
        value={kind}
        onChange={(value) => setKind(value as ActivityKind)}
        tabs={ACTIVITY_KINDS.map((value) => ({
          value,
          label: value,
          content: (
            <>
              <p className={styles.lead}>{ACTIVITY_LABELS[value]}</p>
              {value === 'Transformation' ? (
                <Languages onChoose={(selected) => void add(selected)} />
              ) : (
                <Connections kind={value} onChoose={(selected) => void add(selected)} />
              )}
            </>
          ),
        }))}
      />
      {after && (
        <Checkbox
          label={`Run it after ${after.name}`}
          checked={isAfter}
          onChange={(event) => setAfter(event.target.checked)}
        />
      )}
    </Dialog>
  )
}

function findPlaceFor(blocks: readonly BlockCard[], after: BlockCard | null, point: Point | null): Point {
  const occupiedPoints = blocks.map((block) => block.metadata)
  if (point) return freePlace(occupiedPoints, point)
  if (after) return freePlace(occupiedPoints, { x: after.metadata.x + NODE_WIDTH + 96, y: after.metadata.y })
  const left = Math.min(0, ...occupiedPoints.map(({ x }) => x))
  return freePlace(occupiedPoints, { x: occupiedPoints.length === 0 ? 0 : left, y: 0 })
}

function Languages({ onChoose }: { onChoose: (selected: ChosenBlock) => void }) {
  return (
    <ChoiceList
      label="Languages"
      none=""
      choices={[
        { key: 'sql', label: 'SQL', note: 'A query whose result becomes a table, or statements', icon: <Table2 /> },
        {
          key: 'javascript',
          label: 'JavaScript',
          note: 'A function over rows, run in a sandbox',
          icon: <Braces />,
        },
      ]}
      onChoose={(key) =>
        onChoose({ name: 'Transformation', integration: null, language: key === 'sql' ? 'sql' : 'javascript' })
      }
    />
  )
}

const STATES: Record<Integration['state'], string> = {
  ACTIVE: '',
  SETUP: ' · not set up yet',
  VALIDATING: ' · being checked',
  ERROR: ' · does not work at the moment',
  ARCHIVED: ' · archived',
}

function Connections({ kind, onChoose }: { kind: ActivityKind; onChoose: (selected: ChosenBlock) => void }) {
  const { address, paths } = useDataflowsScope()
  const activityKind = kind === 'Source' ? 'Extraction' : 'Load'
  return (
    <Loaded query={useIntegrations(address)} subject="The list of connections" skeletonHeights={[44, 44, 44]}>
      {(all) => {
        const fitting = all.filter(
          (item) => item.kinds.includes(activityKind) && !item.is_managed && item.state !== 'ARCHIVED',
        )
        return (
          <>
            <ChoiceList
              key={kind}
              label="Connections"
              none={`No connection can be used as a ${kind.toLowerCase()} yet.`}
              choices={[
                ...fitting.map((item) => ({
                  key: item.integration_trellis_code,
                  label: item.name,
                  note: `${item.platform_name}${STATES[item.state]}`,
                  icon: <KindIcon kind={kind} icon={item.icon} />,
                })),
                { key: '', label: 'Choose later', note: 'An empty block', icon: <DatabaseZap /> },
              ]}
              onChoose={(key) => {
                const one = fitting.find((it) => it.integration_trellis_code === key)
                onChoose({ name: one?.name ?? kind, integration: one?.integration_trellis_code ?? null })
              }}
            />
            <ButtonLink size="sm" icon={<Plus aria-hidden />} to={`${paths.integrations}/create`}>
              Connect a new one
            </ButtonLink>
          </>
        )
      }}
    </Loaded>
  )
}
