import { createContext, useContext } from 'react'

export interface SetupView {
  subtask: number
  showSubtask: (subtaskIndex: number) => void
}

const Here = createContext<SetupView>({ subtask: 0, showSubtask: () => undefined })
export const SetupViewProvider = Here.Provider
export const useSetupView = () => useContext(Here)
