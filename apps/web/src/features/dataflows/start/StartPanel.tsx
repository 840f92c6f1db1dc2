import { useEffect, useState } from 'react'
import { consumeConsentProblem } from '../../../app/session/handover.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useIntegrations, usePlatform, useSetupForma } from '../../../connecting/connecting.queries.ts'
import ConnectForm from '../../../connecting/ConnectForm.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { ChooseStep } from './ChooseStep.tsx'
import { ConsentStep } from './ConsentStep.tsx'
import { DoneStep } from './DoneStep.tsx'
import { PanelTitle } from './PanelTitle.tsx'
import { useConsentReturn } from './use-consent-return.ts'
import type { StartFrom } from './start-from.ts'
import type { StartedFlow } from './start.queries.ts'

interface PanelProps {
  dataflow: string
  from: StartFrom
  onClose: () => void
  onNext: (block: string) => void
}

export default function StartPanel({ dataflow, from, onClose, onNext }: PanelProps) {
  const [integration, setIntegration] = useState(from.kind === 'connection' ? from.integration : null)
  const [started, setStarted] = useState<StartedFlow | null>(null)
  if (started) return <DoneStep dataflow={dataflow} started={started} onClose={onClose} onNext={onNext} />
  if (integration !== null)
    return <Choose dataflow={dataflow} integration={integration} onStarted={setStarted} onClose={onClose} />
  return (
    <Connect
      dataflow={dataflow}
      platform={from.kind === 'platform' ? from.platform : ''}
      onConnected={setIntegration}
      onClose={onClose}
    />
  )
}

interface ConnectProps {
  dataflow: string
  platform: string
  onConnected: (integration: string) => void
  onClose: () => void
}

function Connect({ dataflow, platform: code, onConnected, onClose }: ConnectProps) {
  const { address } = useDataflowsScope()
  const returnFromConsent = useConsentReturn(dataflow)
  const platform = usePlatform(address, code)
  const setup = useSetupForma(address, code)
  const connections = useIntegrations(address)
  const names = connections.data?.map(({ name }) => name) ?? []
  return (
    <SidePanel
      isWide
      isTitleFocused
      title={<PanelTitle icon={platform.data?.icon}>Connect {platform.data?.name ?? 'a source'}</PanelTitle>}
      onClose={onClose}
    >
      <Loaded query={platform} subject="The platform" skeletonHeights={[72, 160]}>
        {(known) => (
          <Loaded query={setup} subject="The form" skeletonHeights={[80, 80, 80]}>
            {({ forma }) => (
              <ConnectForm
                isTested
                address={address}
                platform={known}
                forma={forma}
                startName={toFreeName(known.name, names)}
                returnFromConsent={returnFromConsent}
                onConnected={(integration) => onConnected(integration.integration_trellis_code)}
                cancel={<Button onClick={onClose}>Cancel</Button>}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </SidePanel>
  )
}

function toFreeName(name: string, taken: readonly string[]): string {
  let free = name
  for (let number = 2; taken.includes(free); number += 1) free = `${name} ${number}`
  return free
}

interface ChooseProps {
  dataflow: string
  integration: string
  onStarted: (started: StartedFlow) => void
  onClose: () => void
}

function Choose({ dataflow, integration, onStarted, onClose }: ChooseProps) {
  const { address } = useDataflowsScope()
  const connections = useIntegrations(address)
  const [refusal, setRefusal] = useState<string | null>(null)
  // An effect, because a discarded render would consume the value.
  useEffect(() => setRefusal((current) => consumeConsentProblem() ?? current), [])
  const connection = connections.data?.find((candidate) => candidate.integration_trellis_code === integration)
  if (connection?.oauth && !connection.oauth.is_linked)
    return <ConsentStep dataflow={dataflow} connection={connection} refusal={refusal} onClose={onClose} />
  if (connection)
    return <ChooseStep dataflow={dataflow} connection={connection} onStarted={onStarted} onClose={onClose} />
  return (
    <SidePanel isWide isTitleFocused title="What to read" onClose={onClose}>
      {connections.data && !connections.isFetching ? (
        <p>This connection is no longer there. Close this and choose another one.</p>
      ) : (
        <Loaded query={{ ...connections, data: undefined }} subject="The connection" skeletonHeights={[72, 240]}>
          {() => null}
        </Loaded>
      )}
    </SidePanel>
  )
}
