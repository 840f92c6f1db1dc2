import { useState } from 'react'
import { Button } from '../actions/Button.tsx'
import { Breadcrumbs } from '../layout/Breadcrumbs.tsx'
import { Card } from '../layout/Card.tsx'
import { PageHeader, Section, Stack } from '../layout/Page.tsx'
import { Tabs } from '../layout/Tabs.tsx'
import { TextField } from '../forms/TextField.tsx'
import { Sample } from './Sample.tsx'

export function LayoutSamples({ theme }: { theme: string }) {
  const [tab, setTab] = useState('details')
  return (
    <>
      <Sample title="Breadcrumbs" isColumn>
        <Breadcrumbs
          label={`Breadcrumb, ${theme}`}
          crumbs={[
            { label: 'Growth', to: '/design' },
            { label: 'Dataflows', to: '/design' },
            { label: 'Orders to warehouse' },
          ]}
        />
      </Sample>
      <Sample title="PageHeader" isColumn>
        <PageHeader
          title="Dataflows"
          subtitle="What moves, when, and whether it arrived."
          actions={<Button variant="primary">New dataflow</Button>}
        />
      </Sample>
      <Sample title="Tabs" isColumn>
        <Tabs
          label="Account settings"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'details', label: 'Details', content: 'What the account is called.' },
            { value: 'members', label: 'Members', content: 'Who belongs to it.' },
            { value: 'billing', label: 'Billing', content: 'What it costs.' },
          ]}
        />
      </Sample>
      <Sample title="Card and Section" isColumn>
        <Stack>
          <Card
            title="Payment details"
            subtitle="Visa ending in 4242"
            actions={<Button size="sm">Change</Button>}
            footer={<span>Next invoice on 2026-12-01</span>}
          >
            950 dollars a month, five seats.
          </Card>
          <Section title="About you" subtitle="Seen by the members of your accounts.">
            <TextField label="First name" defaultValue="Ada" />
          </Section>
        </Stack>
      </Sample>
    </>
  )
}
