import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { FormTextField } from '../../../ui/forms/Form.tsx'
import { suggestedAddress } from './suggested-address.ts'

interface Values {
  name: string
  workspace_address: string
}

/** Name and address. The address follows the name until the person writes one of their own. */
export function WorkspaceFields<V extends Values>({
  form,
  accountCode,
  isDisabled = false,
}: {
  form: UseFormReturn<V>
  accountCode: string
  isDisabled?: boolean
}) {
  const { watch, setValue, formState } = form as unknown as UseFormReturn<Values>
  const name = watch('name')
  const isOwn = formState.dirtyFields.workspace_address === true
  useEffect(() => {
    if (!isOwn) setValue('workspace_address', suggestedAddress(name), { shouldValidate: name !== '' })
  }, [name, isOwn, setValue])
  return (
    <>
      <FormTextField name="name" label="Workspace name" disabled={isDisabled} autoComplete="off" data-autofocus />
      <FormTextField
        name="workspace_address"
        label="Workspace URL"
        disabled={isDisabled}
        autoComplete="off"
        spellCheck={false}
        start={<span>{`${location.host}/${accountCode || '…'}/`}</span>}
        hint="Lower-case letters and numbers. It can not be changed later."
      />
    </>
  )
}
