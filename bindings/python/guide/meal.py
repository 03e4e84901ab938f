import vitalwire


def show(progress: vitalwire.WaitProgress) -> None:
    print("status:", progress.status)


with vitalwire.Client.from_env() as client:
    meal = client.nutrition_records.upload_and_wait(
        "lunch.png", include_ingredients=True, without_metadata=True, on_progress=show
    )
    fields = meal.nutritional_fields
    if meal.status == "completed" and fields is not None:
        print(meal.dish_name, f"{fields['energy_kcal']:.0f} kcal", fields.basis)
    else:
        print("no result:", meal.failure_reason)
