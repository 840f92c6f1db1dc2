import type { Integration } from '@trellis/contract/integrations/integrations.schemas'
import { Plus } from 'lucide-react'
import { ButtonLink } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { useBlockConnections, useBlockPlatforms } from '../setup.queries.ts'

interface PickerProps {
  part: 'source' | 'destination'
  /** The choice just made, otherwise the connection's. */
  platform: string | null
  integration: string | null
  onPlatform: (platform: string) => void
  onConnect: (integration: string | null, isOtherPlatform: boolean) => void
}

export function ConnectionPicker({ part, platform, integration, onPlatform, onConnect }: PickerProps) {
  const { block, isDisabled, faultAt, touch } = useDraft()
  const platforms = useBlockPlatforms(part)
  const kept = integration === null ? '' : (block.platform_trellis_code ?? '')
  const selected = platform ?? kept
  const connections = useBlockConnections(part, selected)
  const title = TITLES[part]
  const list = connections.data ?? []
  const current = list.find((candidate) => candidate.integration_trellis_code === integration)
  return (
    <section className={styles.group} aria-label={title} data-path="integration_trellis_code">
      <h2>{title}</h2>
      <div className={styles.pair}>
        <Select
          label="Platform"
          placeholder="Choose a platform…"
          hint={platforms.isError ? `The platforms could not be listed: ${platforms.error.message}` : undefined}
          value={selected}
          disabled={isDisabled}
          options={(platforms.data ?? []).map((platform) => ({
            value: platform.platform_trellis_code,
            label: platform.name,
          }))}
          onChange={(event) => {
            onPlatform(event.target.value)
            if (integration !== null && event.target.value !== kept) onConnect(null, true)
          }}
        />
        <Select
          label="Connection"
          placeholder={connections.isLoading ? 'Looking…' : 'Choose a connection…'}
          value={current ? (integration ?? '') : ''}
          disabled={isDisabled || selected === '' || connections.isLoading}
          error={faultAt('integration_trellis_code')}
          options={list.map((item) => ({ value: item.integration_trellis_code, label: formatLabel(item) }))}
          onBlur={() => touch('integration_trellis_code')}
          onChange={(event) => onConnect(event.target.value || null, false)}
        />
      </div>
      {selected !== '' && connections.data?.length === 0 && <NotConnected part={part} platform={selected} />}
      <ConnectionProblem problem={current?.problem ?? null} />
    </section>
  )
}

function ConnectionProblem({ problem }: Pick<Integration, 'problem'>) {
  if (!problem) return null
  return (
    <Banner tone="danger" title="This connection does not work">
      {problem.message} {problem.advice}
    </Banner>
  )
}

function NotConnected({ part, platform }: { part: PickerProps['part']; platform: string }) {
  const { paths } = useDataflowsScope()
  const { isDisabled } = useDraft()
  const platforms = useBlockPlatforms(part)
  const canSetUp =
    platforms.data?.find((candidate) => candidate.platform_trellis_code === platform)?.can_be_set_up === true
  return (
    <Banner
      tone="info"
      action={
        canSetUp && !isDisabled ? (
          <ButtonLink size="sm" icon={<Plus aria-hidden />} to={`${paths.integrations}/setup/${platform}`}>
            Connect
          </ButtonLink>
        ) : undefined
      }
    >
      This platform is not connected yet. What you enter here is saved meanwhile.
    </Banner>
  )
}

const formatLabel = ({ name, state }: Integration): string => (state === 'ACTIVE' ? name : `${name} (${STATES[state]})`)

const TITLES = { source: 'Read from', destination: 'Write to' } as const

const STATES: Record<Integration['state'], string> = {
  SETUP: 'not set up',
  VALIDATING: 'being checked',
  ACTIVE: 'works',
  ERROR: 'does not work',
  ARCHIVED: 'put away',
}
