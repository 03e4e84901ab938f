// Fakes that forward every call of their protocol. This file must compile unchanged with later releases.

import Vitalwire

struct ForwardingStatistics: StatisticsProtocol {
    let real: any StatisticsProtocol

    func interval(_ call: IntervalCall) async throws -> IntervalStatistics { try await real.interval(call) }

    func interval(_ call: IntervalRangeCall) -> RangeCall<IntervalStatistics> { real.interval(call) }

    func daily(_ call: DailyCall) async throws -> DailyStatistics { try await real.daily(call) }

    func daily(_ call: DailyRangeCall) -> RangeCall<DailyStatistics> { real.daily(call) }
}

struct ForwardingSleeps: SleepsProtocol {
    let real: any SleepsProtocol

    func get(_ call: GetCall) async throws -> SleepRecord { try await real.get(call) }

    func between(_ call: BetweenCall) -> NightSearch { real.between(call) }
}

struct ForwardingMeals: NutritionRecordsProtocol {
    let real: any NutritionRecordsProtocol

    func upload(_ call: UploadCall) async throws -> NutritionUploadResponse { try await real.upload(call) }

    func upload(_ call: FileUploadCall) async throws -> NutritionUploadResponse { try await real.upload(call) }

    func uploadAndWait(_ call: UploadAndWaitCall) -> WaitCall<NutritionRecord> { real.uploadAndWait(call) }

    func uploadAndWait(_ call: FileUploadAndWaitCall) -> WaitCall<NutritionRecord> { real.uploadAndWait(call) }

    func list(_ call: ListCall) async throws -> [NutritionRecord] { try await real.list(call) }

    func list(_ call: ListRangeCall) -> RangeCall<[NutritionRecord]> { real.list(call) }

    func get(_ call: GetCall) async throws -> NutritionRecord { try await real.get(call) }

    func waitFor(_ call: WaitForCall) -> WaitCall<NutritionRecord> { real.waitFor(call) }

    func update(_ call: UpdateCall) async throws -> NutritionRecord { try await real.update(call) }

    func delete(_ call: DeleteCall) async throws { try await real.delete(call) }
}
