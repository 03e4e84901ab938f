import vitalwire


def show(progress: vitalwire.WaitProgress) -> None:
    print("status:", progress.status)


with vitalwire.Client.from_env() as client:
    meal = client.nutrition_records.upload_and_wait(
        "lunch.png", include_ingredients=True, without_metadata=True, on_progress=show
    )
    fields = meal.nutritional_fields
    if meal.status == "completed" and fields is not None:
        energy = fields.get("energy_kcal")
        known = "unknown energy" if energy is None else f"{energy:.0f} kcal"
        print(meal.dish_name or "a meal", known, fields.basis)
    else:
        print("no result:", meal.failure_reason)
