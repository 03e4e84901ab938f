#if compiler(>=6.1)
    // --8<-- [start:program]
    import Testing
    import VitalwireSandbox

    @Test(.sandbox) func theLastNightHasStages() async throws {
        let sandbox = try Sandbox.current
        let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
        #expect(night.stages?.isEmpty == false)
    }
    // --8<-- [end:program]
#endif
