import { useState } from 'react'
import * as z from 'zod/mini'
import { DateField } from '../dates/DateField.tsx'
import { Checkbox, RadioGroup, Switch } from '../forms/Choices.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../forms/Form.tsx'
import { useSchemaForm } from '../forms/schema-form.ts'
import { RuleList } from '../forms/RuleList.tsx'
import { SearchField } from '../forms/SearchField.tsx'
import { Select } from '../forms/Select.tsx'
import { PasswordField, TextArea, TextField } from '../forms/TextField.tsx'
import { Sample } from './Sample.tsx'

const SampleForm = z.object({ name: z.string().check(z.minLength(2, 'Name must be at least 2 characters long')) })
const ROLES = [
  { value: 'viewer', label: 'Viewer', hint: 'Sees integrations and dataflows' },
  { value: 'editor', label: 'Editor', hint: 'Creates and edits them' },
  { value: 'admin', label: 'Admin', hint: 'Everything in the workspace' },
]

const SAMPLE_RULES = [
  { text: 'A capital letter', isMet: (value: string) => /[A-Z]/.test(value) },
  { text: 'A number', isMet: (value: string) => /\d/.test(value) },
]

export function FormSamples() {
  const [role, setRole] = useState('editor')
  const [isOn, setOn] = useState(true)
  const [day, setDay] = useState('2026-11-15')
  const form = useSchemaForm(SampleForm, { name: '' })
  return (
    <>
      <Sample title="TextField" isColumn>
        <TextField
          label="Workspace name"
          placeholder="Growth"
          hint="Letters, numbers, spaces, dashes and underscores."
        />
        <TextField label="Email" defaultValue="ada@" error="Email is not valid" />
        <TextField label="Address" defaultValue="growth" readOnly isMono />
        <TextArea label="Description" isOptional rows={2} />
      </Sample>
      <Sample title="DateField" isColumn>
        <DateField label="Start date" value={day} onChange={setDay} />
      </Sample>
      <Sample title="PasswordField and its rule" isColumn>
        <PasswordField label="Password" defaultValue="Correct horse" autoComplete="off" />
        <RuleList label="Password rule" value="Correct horse" rules={SAMPLE_RULES} />
      </Sample>
      <Sample title="Select, SearchField" isColumn>
        <Select label="Role" options={ROLES} defaultValue="editor" />
        <SearchField label="Search dataflows" />
      </Sample>
      <Sample title="Checkbox, Switch, RadioGroup" isColumn>
        <Checkbox label="I understand this action will result in permanent loss of data." />
        <Checkbox label="Some of the rows" isPartly />
        <Checkbox label="Not available" disabled />
        <Switch
          label="Run on a schedule"
          hint="Off keeps the schedule for later."
          checked={isOn}
          onChange={() => setOn(!isOn)}
        />
        <RadioGroup label="Role" options={ROLES} value={role} onChange={setRole} />
      </Sample>
      <Sample title="Form: errors after touch, submit when valid and changed" isColumn>
        <Form form={form} onSubmit={() => form.reset()}>
          <FormTextField name="name" label="Name" />
          <FormActions>
            <SubmitButton>Save changes</SubmitButton>
          </FormActions>
        </Form>
      </Sample>
    </>
  )
}
