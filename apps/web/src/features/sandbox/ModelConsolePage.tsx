import type { ConsoleAnswer } from '@trellis/contract/ai/console.endpoints'
import { Bot } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { formatCount, wholeNumber } from '../../ui/data/amounts.ts'
import { formatDuration } from '../../ui/data/durations.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextArea, TextField } from '../../ui/forms/TextField.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../ui/layout/Page.tsx'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { useAiModel } from '../ai/model/ai-model.queries.ts'
import { parseTools } from './parse-tools.ts'
import { useAskConsole } from './sandbox.queries.ts'
import styles from './sandbox.module.css'

export function Component() {
  const { account } = useCurrentWorkspace()
  const can = useCan()
  const model = useAiModel(account.trellis_code)
  return (
    <Page>
      <PageHeader
        title="Model console"
        subtitle="Send a prompt to the connected model as it is. No tables or business context are added."
      />
      {!can('workspace:update') ? (
        <EmptyState icon={<Bot />} title="For admins" subtitle="An admin of this workspace can try models here." />
      ) : model.isError && !model.data ? (
        <ErrorPanel
          title="The model could not be loaded"
          detail={model.error.message}
          reference={model.error.requestId}
          isRetrying={model.isFetching}
          onRetry={() => void model.refetch()}
        />
      ) : !model.data ? (
        <Loading label="Loading the model">
          <Skeleton height={200} />
        </Loading>
      ) : model.data.source === 'none' ? (
        <EmptyState
          icon={<Bot />}
          title="No model is connected"
          subtitle="Connect a model in the account settings to try prompts here."
          action={<ButtonLink to={`/${account.trellis_code}/settings?tab=model`}>Account settings</ButtonLink>}
        />
      ) : (
        <Console usual={model.data.model ?? ''} canChoose={model.data.source === 'account'} />
      )}
    </Page>
  )
}

function Console({ usual, canChoose }: { usual: string; canChoose: boolean }) {
  const { params } = useCurrentWorkspace()
  const [system, setSystem] = useState('')
  const [prompt, setPrompt] = useState('')
  const [tools, setTools] = useState('')
  const [names, setNames] = useState<readonly [string, string]>([usual, ''])
  const first = useAskConsole()
  const second = useAskConsole()
  const read = parseTools(tools)
  const ask = () => {
    if (read.problem !== null || prompt.trim() === '') return
    for (const [index, response] of [first, second].entries()) {
      const name = names[index]?.trim() ?? ''
      if (index === 1 && name === '') continue
      const model = canChoose && name !== usual && name !== '' ? { model: name } : {}
      response.mutate({ params, body: { system, prompt, tools: read.tools, ...model } })
    }
  }
  const isBusy = first.isPending || second.isPending
  return (
    <Stack>
      <Card title="Prompt">
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            ask()
          }}
        >
          <TextArea
            label="System prompt"
            isOptional
            rows={3}
            value={system}
            onChange={(event) => setSystem(event.target.value)}
          />
          <TextArea label="Prompt" rows={6} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
          <TextArea
            label="Tools"
            isOptional
            hint='A JSON list such as [{"name": "look_up", "description": "…"}]. What the model calls is shown and never run.'
            rows={3}
            value={tools}
            error={read.problem ?? undefined}
            onChange={(event) => setTools(event.target.value)}
          />
          <div className={styles.models}>
            <TextField
              label="Model"
              value={names[0]}
              disabled={!canChoose}
              onChange={(event) => setNames([event.target.value, names[1]])}
            />
            <TextField
              label="Compare with"
              isOptional
              hint={canChoose ? 'Another model at the same address' : 'Once the account has a model of its own'}
              value={names[1]}
              disabled={!canChoose}
              onChange={(event) => setNames([names[0], event.target.value])}
            />
          </div>
          <div>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={prompt.trim() === ''}>
              Send
            </Button>
          </div>
        </form>
      </Card>
      <div className={styles.answers}>
        {[first, second].map((response, index) => (
          <Answer key={index} response={response.data} problem={response.error?.message} isBusy={response.isPending} />
        ))}
      </div>
    </Stack>
  )
}

function Answer({
  response,
  problem,
  isBusy,
}: {
  response: ConsoleAnswer | undefined
  problem: string | undefined
  isBusy: boolean
}) {
  const id = useId()
  if (isBusy) {
    return (
      <Loading label="The model answers">
        <Skeleton height={160} />
      </Loading>
    )
  }
  if (problem !== undefined) return <Banner tone="danger">{problem}</Banner>
  if (!response) return null
  const facts = [
    ['First word', response.first_ms === null ? '–' : formatDuration(response.first_ms)],
    ['Time', formatDuration(response.duration_ms)],
    ['Tokens in', wholeNumber(response.input_tokens)],
    ['Tokens out', wholeNumber(response.output_tokens)],
    ['Cost', formatCount(response.credits_spent, 'credit')],
  ]
  return (
    <section aria-labelledby={id}>
      <Card title={<span id={id}>{response.model}</span>}>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {response.text !== '' && <pre className={styles.text}>{response.text}</pre>}
        {response.calls.map((call, index) => (
          <pre key={index} className={styles.text}>{`${call.name}(${call.arguments})`}</pre>
        ))}
      </Card>
    </section>
  )
}
